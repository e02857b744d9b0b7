// What all scripts of a page use: its data, elements by id, new elements, and a tip beside the pointer.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

// Returns a button that does something.
function action(name, attributes, act) {
  const button = element("button", attributes, name);
  button.addEventListener("click", act);
  return button;
}

function fillTable(id, headings, lines) {
  const head = element("tr", {}, ...headings.map(name => element("th", {scope: "col"}, name)));
  byId(id).replaceChildren(element("thead", {}, head), element("tbody", {}, ...lines));
}

const tip = {
  show(event, text) {
    const box = byId("tip");
    box.textContent = text;
    box.hidden = false;
    box.style.left = `${Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8)}px`;
    box.style.top = `${Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 8)}px`;
  },
  hide() { byId("tip").hidden = true; },
  // Shows a text while the pointer is on something.
  on(place, text) {
    place.addEventListener("pointermove", event => tip.show(event, text));
    place.addEventListener("pointerleave", tip.hide);
  },
};
