/** What a teacher hands out: a list of puzzles as a link, a QR code, a sheet of paper, or one file. */

import { fileName } from "../model/links.js";
import { parsePwp } from "../model/pwp.js";
import { qrCode } from "../model/qr.js";
import { loadSite } from "../server/catalogue.js";
import { Board } from "./board.js";
import { openDialog } from "./dialogs.js";
import { announce, button, download, fill, h, s } from "./dom.js";
import { ONLY_HERE, copyAddress, copyText, isLocal, sharedAddress } from "./navigation.js";

/** The most puzzles that are chosen at first. */
const MOST = 12;

/** Opens the dialog that makes a list of some of the given puzzles, in the order in which they are chosen. */
export function openClassKit(title, entries) {
  const name = h("input", { value: title, maxlength: 80, "aria-label": "Title of the list" });
  const chosen = entries.length > MOST ? [] : entries.slice();
  const code = h("div", { class: "code-box" });
  const link = h("input", { readonly: true, "aria-label": "Link to the list" });
  const buttons = [
    button({ icon: "link", text: "Copy the link" }, () => copyAddress(address())),
    button({ text: "Print a sheet" }, () => print()),
    button({ text: "Embed", label: "Copy the code that shows this in another page" }, () =>
      copyText(embedding(link.value, name.value), "The code for your page is copied."),
    ),
    button({ icon: "download", text: "One file" }, () => saveFile(name.value, chosen)),
    button({ icon: "download", text: "index.toml" }, () => saveIndex(name.value, chosen)),
  ];
  const address = () => {
    const list = chosen.map(({ set, id }) => `${set}.${id}`).join("~");
    return `#/gallery/?${new URLSearchParams({ list, title: name.value })}`;
  };
  const items = entries.map((entry) => {
    const mark = h("b", { class: "number" });
    const choose = () => {
      const place = chosen.indexOf(entry);
      if (place < 0) chosen.push(entry);
      else chosen.splice(place, 1);
      refresh();
    };
    const item = h("button", { type: "button", class: "tag", on: { click: choose } }, mark, entry.name);
    return { entry, item, mark };
  });
  const refresh = async () => {
    for (const { entry, item, mark } of items) {
      const place = chosen.indexOf(entry) + 1;
      mark.textContent = place ? `${place}. ` : "";
      item.setAttribute("aria-pressed", String(place > 0));
    }
    for (const each of buttons) each.disabled = !chosen.length;
    link.value = await sharedAddress(address());
    fill(code, chosen.length > 0 && [drawnCode(link.value), isLocal(link.value) && h("p", { class: "quiet" }, ONLY_HERE)]);
    const picture = ({ pwp }) => new Board(parsePwp(pwp), { thumbnail: true }).element;
    const boards = chosen.map((entry, i) =>
      h("figure", {}, picture(entry), h("figcaption", {}, `${i + 1}. ${entry.name}`)),
    );
    fill(sheet, h("h2", {}, name.value), boards);
  };
  /** What is printed, with the code above it. */
  const sheet = h("div", { class: "sheet" });
  name.addEventListener("input", refresh);
  openDialog("Share puzzles", [
    h("p", {}, "Choose puzzles in the order in which they are to be played."),
    name,
    h("div", { class: "tags list-items" }, items.map(({ item }) => item)),
    code,
    link,
    h("div", { class: "row" }, buttons),
    sheet,
  ]).classList.add("class-kit");
  refresh();
}

/** Returns the code that shows a link inside another page. */
function embedding(address, title) {
  const url = new URL(address);
  url.search = "?embed";
  const frame = h("iframe", { src: url.href, title, width: "100%", height: "640", loading: "lazy" });
  frame.style.border = "0";
  return frame.outerHTML;
}

/** Returns the QR code of a link, or why there is none. */
function drawnCode(text) {
  try {
    const rows = qrCode(text);
    const d = rows.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
    const size = rows.length + 8;
    return s("svg", { viewBox: `-4 -4 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" },
      s("path", { d }),
    );
  } catch (error) {
    return h("p", { class: "quiet" }, error.message);
  }
}

/** Downloads the index of a folder with these puzzles; `pushworld play --puzzles FOLDER` reads it. */
function saveIndex(title, entries) {
  const quoted = (text) => JSON.stringify(text);
  const tables = entries.map(({ id, name, description, idea, tags, plan }) =>
    [
      "[[puzzle]]",
      `name = ${quoted(id)}`,
      `title = ${quoted(name)}`,
      description && `description = ${quoted(description)}`,
      idea && `idea = ${quoted(idea)}`,
      tags.length > 0 && `tags = ${quoted(tags)}`,
      plan && `plan = ${quoted(plan)}`,
    ].filter(Boolean).join("\n"),
  );
  const text = [`title = ${quoted(title)}`, ...tables].join("\n\n");
  download("index.toml", new Blob([`${text}\n`], { type: "text/plain" }));
}

/** Downloads the page with these puzzles in one file, which needs neither a server nor a network. */
async function saveFile(title, entries) {
  const site = await loadSite();
  const get = async (path) => (await fetch(path)).text();
  const [page, style, script] = await Promise.all(["index.html", "page.css", "page.js"].map(get));
  const offers = { solver: false, server: false, page_planner: false, recording: false, offline: false };
  const set = { id: "list", title, count: entries.length };
  const brought = {
    "data/site.json": { ...site, ...offers, planners: [], sets: [set] },
    "data/sets/list.json": entries.map((entry, i) => ({ ...entry, set: "list", id: `p${i + 1}`, list: undefined })),
  };
  const data = JSON.stringify(brought).replaceAll("<", "\\u003c");
  const holder = h("script", { type: "application/json", id: "brought" }, data).outerHTML;
  const program = h("script", { type: "module" }, script).outerHTML;
  const text = page
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
    .replaceAll(/<link rel="(preload|icon|stylesheet)"[^>]*>/g, "")
    .replace(/<script type="module"[^>]*><\/script>/, "")
    .replace("</head>", () => `<style>${style}</style></head>`)
    .replace("</body>", () => `${holder}${program}</body>`);
  download(fileName(title, "html"), new Blob([text], { type: "text/html" }));
  announce("The file is saved.");
}
