/** The page: opens the view that the address names, and sets up what all views share. */

import { openEditor } from "./editor/editor.js";
import { sentence } from "./model/descriptions.js";
import { parseRoute } from "./model/links.js";
import { loadSite } from "./server/catalogue.js";
import { Recorder } from "./server/recorder.js";
import { applySettings, openConsent, openHelp, openSettings, showTopActions } from "./views/dialogs.js";
import { fill, h } from "./views/dom.js";
import { openGallery } from "./views/gallery.js";
import { openPlay } from "./views/play.js";
import { openStudy } from "./views/study.js";
import { openWatch } from "./views/watch.js";

/**
 * A view: `open(route, context)` resolves to its element, its title, and what to do after it is
 * shown and after it is left.
 *
 * @typedef {{element: HTMLElement, title: string, begin?: () => void, close?: () => void}} View
 * @typedef {{site: Object, recorder: Recorder}} Context
 */
const VIEWS = { gallery: openGallery, play: openPlay, watch: openWatch, edit: openEditor };

const main = document.getElementById("main");
let context;
let current = null;
let opening = 0;

async function show() {
  const number = ++opening;
  delete main.dataset.ready;
  const route = parseRoute(location.hash);
  let view;
  try {
    const open = VIEWS[route.view];
    if (!open) throw new Error(`there is no view called ${route.view}`);
    view = await open(route, context);
  } catch (error) {
    view = { element: problem(error), title: "Not found" };
  }
  if (number !== opening) {
    view.close?.();
    return;
  }
  current?.close?.();
  const isFirst = current === null;
  current = view;
  fill(main, view.element);
  fill(document.getElementById("toasts"));
  document.title = `${view.title} · PushWorld`;
  for (const link of document.querySelectorAll(".views a")) {
    const isCurrent = link.dataset.view === (route.view === "play" ? "gallery" : route.view);
    link.ariaCurrent = isCurrent ? "page" : null;
  }
  main.dataset.ready = route.view;
  scrollTo(0, 0);
  view.begin?.();
  if (!isFirst) (main.querySelector("[data-autofocus]") ?? main).focus({ preventScroll: true });
}

function problem(error) {
  return h("section", { class: "notice" },
    h("h1", {}, "This cannot be shown"),
    h("p", {}, sentence(error.message)),
    h("p", {}, h("a", { class: "button primary", href: "#/" }, "To the puzzles")),
  );
}

async function start() {
  applySettings();
  const isEmbedded = new URLSearchParams(location.search).has("embed");
  document.documentElement.classList.toggle("embedded", isEmbedded);
  let site;
  try {
    site = await loadSite();
  } catch (error) {
    fill(main, problem(error));
    main.dataset.ready = "problem";
    return;
  }
  if (site.study) {
    listenEverywhere();
    await openStudy(site, main);
    return;
  }
  context = { site, recorder: new Recorder(site.recording === true) };
  const help = () => openHelp(parseRoute(location.hash).view);
  showTopActions(help, () => openSettings(context, show));
  listenEverywhere();
  history.scrollRestoration = "manual"; // a view scrolls to its own place
  addEventListener("hashchange", () => {
    for (const dialog of document.querySelectorAll("dialog:not(.consent)")) dialog.close();
    show();
  });
  await show();
  // Browsers refuse to keep a copy at addresses that are not secure, and some in private windows.
  const keeps = site.offline && !navigator.connection?.saveData;
  if (keeps) navigator.serviceWorker?.register("service-worker.js").catch(() => {});
  if (site.recording && context.recorder.answer === null) openConsent(context, show);
}

/** Listens to what every view has: the key of the help, the link to the content, and the zoom. */
function listenEverywhere() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, dialog");
    if (event.key === "?" && !typing) document.getElementById("help").click();
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  // Who has zoomed the page must be able to leave, even if a board fills the screen.
  visualViewport.addEventListener("resize", () => {
    document.documentElement.classList.toggle("page-zoomed", visualViewport.scale > 1);
  });
}

start();
