// What all scripts of a page use: elements by id, new elements, and a tip beside the pointer.
const byId = id => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
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
};
