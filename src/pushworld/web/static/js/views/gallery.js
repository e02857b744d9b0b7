/** The gallery: all sets and their puzzles, with pictures, search and tags. */

import { count } from "../model/descriptions.js";
import { addressOf } from "../model/links.js";
import { ALL_SETS, allProgress, lastPlayedKey } from "../model/progress.js";
import { parsePwp } from "../model/pwp.js";
import { read, write } from "../model/storage.js";
import { loadSet, loadSets } from "../server/catalogue.js";
import { Board } from "./board.js";
import { announce, fill, h, icon } from "./dom.js";
import { replaceAddress } from "./navigation.js";

const MAX_FOR_ALL = 3000;
const AT_ONCE = 60;

/** Opens the gallery with the route's set, search and tag. */
export async function openGallery({ parts, query }) {
  const sets = await loadSets();
  if (!sets.length) throw new Error("this site has no puzzles");
  const total = sets.reduce((sum, set) => sum + set.count, 0);
  const tabs = sets.map(({ id, title }) => [id, title]);
  if (sets.length > 1 && total <= MAX_FOR_ALL) tabs.push([ALL_SETS, "All"]);
  const lastSet = tabs.find(([id]) => id === read("set", null))?.[0];
  const chosen = parts[0] || lastSet || sets[0].id;
  const isAll = chosen === ALL_SETS && tabs.at(-1)[0] === ALL_SETS;
  const lists = await Promise.all(isAll ? sets.map((set) => loadSet(set.id)) : [loadSet(chosen)]);
  const title = tabs.find(([id]) => id === chosen)[1];
  write("set", chosen);
  const gallery = new Gallery(chosen, title, tabs, lists.flat(), query);
  const [begin, close] = [() => gallery.begin(), () => gallery.close()];
  return { element: gallery.element, title: "Puzzles", begin, close };
}

class Gallery {
  constructor(chosen, title, tabs, entries, query) {
    this.chosen = chosen;
    this.titles = new Map(tabs);
    this.entries = entries;
    this.progress = allProgress();
    this.tag = query.get("tag") ?? "";
    this.search = h("input", {
      type: "search",
      placeholder: "Search",
      "aria-label": "Search puzzles",
      on: { input: () => this.#filter() },
    });
    this.search.value = query.get("q") ?? "";
    this.tags = h("div", { class: "tags", role: "group", "aria-label": "Tags" });
    this.cards = h("ul", { class: "cards" });
    this.end = h("div", { class: "cards-end" });
    this.none = h("p", { class: "quiet", hidden: true }, "No puzzle matches.");
    this.pictures = new IntersectionObserver((seen) => this.#draw(seen), { rootMargin: "300px" });
    this.more = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && this.#append(),
      { rootMargin: "600px" },
    );
    this.element = h(
      "section",
      { class: "gallery" },
      this.#heading(title),
      h(
        "nav",
        { class: "tabs", "aria-label": "Sets" },
        tabs.map((tab) => this.#tab(tab)),
      ),
      h(
        "div",
        { class: "filters" },
        h("div", { class: "search" }, icon("search"), this.search),
        this.tags,
      ),
      this.cards,
      this.none,
      this.end,
    );
    this.#filter();
    this.more.observe(this.end);
  }

  /** Scrolls to the card of the puzzle played last. */
  begin() {
    const index = this.found.findIndex((entry) => entry.key === lastPlayedKey());
    if (index < 0) return;
    while (this.shown <= index) this.#append();
    this.cards.querySelectorAll(".card")[index].scrollIntoView({ block: "center" });
  }

  close() {
    this.pictures.disconnect();
    this.more.disconnect();
  }

  #isSolved(entry) {
    return Boolean(this.progress[entry.key]?.best);
  }

  #heading(title) {
    const solved = this.entries.filter((entry) => this.#isSolved(entry)).length;
    const total = this.entries.length;
    return h(
      "div",
      { class: "heading" },
      h("h1", {}, title),
      h(
        "p",
        { class: "solved-count" },
        h("progress", { max: total, value: solved, "aria-label": "Solved puzzles" }),
        h("span", {}, `${solved} of ${total} solved`),
      ),
    );
  }

  #tab([id, title]) {
    const isCurrent = id === this.chosen;
    const href = `#/gallery/${encodeURIComponent(id)}`;
    return h("a", { href, "aria-current": isCurrent ? "page" : null }, title);
  }

  #showTags() {
    const known = new Set(this.entries.flatMap((entry) => entry.tags));
    fill(
      this.tags,
      [...known].sort(levelsFirst).map((tag) =>
        h(
          "button",
          {
            type: "button",
            class: "tag",
            "aria-pressed": String(tag === this.tag),
            on: {
              click: () => {
                this.tag = this.tag === tag ? "" : tag;
                this.#filter();
              },
            },
          },
          tag.replaceAll("-", " "),
        ),
      ),
    );
  }

  /** Shows the puzzles that match the search and the tag. */
  #filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.entries.filter((entry) => {
      const text = [entry.name, entry.description, ...entry.tags].join(" ").toLowerCase();
      return (!this.tag || entry.tags.includes(this.tag)) && words.every((w) => text.includes(w));
    });
    const focused = document.activeElement?.textContent;
    const hadFocus = this.tags.contains(document.activeElement);
    this.#showTags();
    if (hadFocus) [...this.tags.children].find((tag) => tag.textContent === focused)?.focus();
    this.pictures.disconnect();
    this.cards.replaceChildren();
    this.shown = 0;
    this.none.hidden = this.found.length > 0;
    this.#append();
    const query = new URLSearchParams();
    if (this.search.value) query.set("q", this.search.value);
    if (this.tag) query.set("tag", this.tag);
    if (query.size || location.hash.includes("?")) {
      const path = `#/gallery/${encodeURIComponent(this.chosen)}`;
      replaceAddress(query.size ? `${path}?${query}` : path);
      announce(`${count(this.found.length, "puzzle")} found`);
    }
  }

  /** Adds the next cards; thousands at once would make the page slow. */
  #append() {
    const next = this.found.slice(this.shown, this.shown + AT_ONCE);
    for (const entry of next) {
      const part = this.#partOf(entry);
      const before = this.found[this.shown - 1];
      if (part && (!before || this.#partOf(before) !== part)) this.cards.append(this.#head(part));
      this.cards.append(this.#card(entry));
      this.shown++;
    }
  }

  /** Returns the name of a puzzle's section of the gallery; empty if there is only one section. */
  #partOf({ set, level }) {
    const names = [
      this.chosen === ALL_SETS && this.titles.get(set),
      level != null && `Level ${level}`,
    ];
    return names.filter(Boolean).join(" · ");
  }

  #head(part) {
    const entries = this.entries.filter((entry) => this.#partOf(entry) === part);
    const solved = entries.filter((entry) => this.#isSolved(entry)).length;
    return h(
      "li",
      { class: "part" },
      h("h2", {}, part),
      h("span", { class: "quiet" }, `${solved} of ${entries.length} solved`),
    );
  }

  #card(entry) {
    const picture = h("div", { class: "thumbnail" });
    this.pictures.observe(picture);
    picture.entry = entry;
    const { best, helped, current } = this.progress[entry.key] ?? {};
    const size = `${entry.width - 2} × ${entry.height - 2}`;
    return h(
      "li",
      { class: "card" },
      picture,
      h(
        "div",
        { class: "card-text" },
        h("a", { href: addressOf("play", entry) }, entry.name),
        h("p", { class: "quiet" }, size, " · ", count(entry.objects, "object")),
        (best || helped || current) &&
          h("p", { class: "quiet" }, describeProgress(entry, best, helped)),
      ),
      best &&
        h(
          "span",
          { class: "solved-mark", title: `Solved in ${count(best.moves, "move")}` },
          icon("check"),
          h("span", { class: "unseen" }, "Solved"),
        ),
      helped && !best && h("span", { class: "solved-mark helped" }, icon("check")),
    );
  }

  /** Draws the thumbnails that have become visible. */
  #draw(seen) {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      this.pictures.unobserve(target);
      try {
        target.append(new Board(parsePwp(target.entry.pwp), { thumbnail: true }).element);
      } catch (error) {
        target.append(h("p", { class: "quiet" }, error.message));
      }
    }
  }
}

const levelsFirst = (a, b) =>
  b.startsWith("level-") - a.startsWith("level-") || a.localeCompare(b, "en");

/** Returns the player's progress in a puzzle: "15 moves; 12 are enough". */
function describeProgress(entry, best, helped) {
  if (!best) return helped ? "Solved with help" : "Started";
  const [moves, known] = [count(best.moves, "move"), entry.known_moves ?? Infinity];
  return known < best.moves ? `${moves}; ${known} are enough` : moves;
}
