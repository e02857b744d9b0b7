/** The gallery: all sets and their puzzles, with pictures, search and tags. */

import { keyOfDay } from "../model/daily.js";
import { RULES, count, describeLevel, describeTag } from "../model/descriptions.js";
import { addressOf } from "../model/links.js";
import { parOf } from "../model/plans.js";
import { ALL_SETS, allProgress, isNewcomer, lastPlayedKey } from "../model/progress.js";
import { parsePwp } from "../model/pwp.js";
import { read, write } from "../model/storage.js";
import { findPuzzle, loadList, loadSet, loadSets } from "../server/catalogue.js";
import { Board } from "./board.js";
import { openClassKit } from "./class-kit.js";
import { demo, worthWatching } from "./demo.js";
import { announce, button, field, fill, h, icon, select } from "./dom.js";
import { replaceAddress } from "./navigation.js";
import { starRow } from "./score.js";

const MAX_FOR_ALL = 3000;
/** What the gallery shows is a list in the address, not a set of the site. */
const LIST = "";
const AT_ONCE = 60;
const ORDERS = [["", "Set order"], ["easy", "Easiest first"], ["hard", "Hardest first"]];

/** Opens the gallery with the route's set, search, tag and order. */
export async function openGallery({ parts, query }) {
  const sets = await loadSets();
  if (!sets.length) throw new Error("this site has no puzzles");
  const total = sets.reduce((sum, set) => sum + set.count, 0);
  const tabs = sets.map(({ id, title }) => [id, title]);
  if (sets.length > 1 && total <= MAX_FOR_ALL) tabs.push([ALL_SETS, "All"]);
  const lastSet = tabs.find(([id]) => id === read("set", null))?.[0];
  const isList = query.has("list");
  const chosen = isList ? LIST : parts[0] || lastSet || sets[0].id;
  const isAll = chosen === ALL_SETS && tabs.at(-1)[0] === ALL_SETS;
  const wanted = isAll ? sets.map((set) => loadSet(set.id)) : [isList ? loadList(query) : loadSet(chosen)];
  const entries = (await Promise.all(wanted)).flat();
  const title = isList ? query.get("title") || "A list" : tabs.find(([id]) => id === chosen)[1];
  if (!isList) write("set", chosen);
  const today = isList ? null : await findPuzzle(keyOfDay());
  const lessons = isNewcomer() ? (isList ? entries : await loadSet(sets[0].id)) : [];
  const gallery = new Gallery(chosen, title, tabs, entries, { lessons, today }, query);
  const [begin, close] = [() => gallery.begin(), () => gallery.close()];
  return { element: gallery.element, title: "Puzzles", begin, close };
}

class Gallery {
  chosen; title;

  constructor(chosen, title, tabs, entries, ways, query) {
    Object.assign(this, { chosen, title });
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
    this.meaning = h("p", { class: "quiet meaning" });
    const order = query.get("sort") ?? "";
    this.order = select("Sort", ORDERS, order in RANKINGS ? order : "", () => this.#filter());
    this.cards = h("ul", { class: "cards" });
    this.end = h("div", { class: "cards-end" });
    this.none = h("p", { class: "quiet", hidden: true }, "No puzzle matches.");
    this.pictures = new IntersectionObserver((seen) => this.#draw(seen), { rootMargin: "300px" });
    this.more = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && this.#append(),
      { rootMargin: "600px" },
    );
    this.element = h("section", { class: "gallery" },
      this.#intro(ways),
      this.#heading(),
      tabs.length > 1 && h("nav", { class: "tabs", "aria-label": "Sets" }, tabs.map((tab) => this.#tab(tab))),
      h("div", { class: "row filters" },
        h("div", { class: "search" }, icon("search"), this.search),
        field("Sort", this.order),
        this.tags,
        this.meaning,
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
    this.demo?.end();
    this.pictures.disconnect();
    this.more.disconnect();
  }

  #isSolved(entry) {
    return Boolean(this.progress[entry.key]?.best);
  }

  /** Returns what the game is and a way in; for those who know it, where to go on; and the day's puzzle. */
  #intro({ lessons: [first, ...others], today }) {
    const daily = today && this.#featured(today, "Puzzle of the day");
    if (!first) {
      const next = this.entries.find((entry) => !this.#isSolved(entry));
      return h("div", { class: "intro" }, next && this.#featured(next, "Go on"), daily);
    }
    const shown = worthWatching([first, ...others]);
    if (shown.plan) this.demo = demo(shown);
    const start = h("a", { class: "button primary", href: addressOf("play", first) }, icon("play"), `Start: ${first.name}`);
    const text = h("div", { class: "text" }, h("strong", {}, "Push everything into place"), h("p", {}, RULES), start);
    return h("div", { class: "intro" }, h("div", { class: "welcome" }, text, this.demo?.element), daily);
  }

  /** Returns a large link to a puzzle, with its picture and its stars. */
  #featured(entry, why) {
    return h(
      "a",
      { class: "card featured", href: addressOf("play", entry), "aria-label": `${why}: ${entry.name}` },
      this.#picture(entry),
      h("span", { class: "text" }, h("span", { class: "quiet" }, why), h("strong", {}, entry.name), this.#stars(entry)),
    );
  }

  /** Returns the place of a puzzle's picture, which is drawn when it comes into sight. */
  #picture(entry) {
    const picture = h("div", { class: "thumbnail", data: { pwp: entry.pwp } });
    this.pictures.observe(picture);
    return picture;
  }

  /** Returns the stars of a puzzle. */
  #stars(entry) {
    const progress = this.progress[entry.key] ?? {};
    return starRow(progress, progress.best && parOf(parsePwp(entry.pwp), entry));
  }

  #heading() {
    const share = { icon: "link", text: "Share", label: "A list, a link, a sheet or a file for others" };
    const solved = this.entries.filter((entry) => this.#isSolved(entry)).length;
    const total = this.entries.length;
    return h("div", { class: "row heading" },
      h("h1", {}, this.title),
      h("p", { class: "row solved-count quiet" },
        h("progress", { max: total, value: solved, "aria-label": "Solved puzzles" }),
        h("span", {}, `${solved} of ${total} solved`),
        button(share, () => openClassKit(this.title, this.found)),
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
    const choose = (tag) => {
      this.tag = this.tag === tag ? "" : tag;
      this.#filter();
    };
    const tags = [...known].sort().map((tag) => {
      const [text, title] = describeTag(tag);
      const looks = { type: "button", class: "tag", title, "aria-pressed": String(tag === this.tag) };
      return h("button", { ...looks, on: { click: () => choose(tag) } }, text);
    });
    fill(this.tags, tags);
    this.meaning.textContent = this.tag && describeTag(this.tag)[1];
  }

  /** Shows the puzzles that match the search and the tag, in the chosen order. */
  #filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.entries.filter((entry) => {
      const tags = entry.tags.flatMap((tag) => [tag, describeTag(tag)[0]]);
      const text = [entry.name, entry.description, ...tags].join(" ").toLowerCase();
      return (!this.tag || entry.tags.includes(this.tag)) && words.every((w) => text.includes(w));
    });
    if (this.order.value) this.found.sort(RANKINGS[this.order.value]);
    const focused = document.activeElement?.textContent;
    const hadFocus = this.tags.contains(document.activeElement);
    this.#showTags();
    if (hadFocus) [...this.tags.children].find((tag) => tag.textContent === focused)?.focus();
    this.cards.replaceChildren();
    this.shown = 0;
    this.none.hidden = this.found.length > 0;
    this.#append();
    const query = new URLSearchParams();
    if (this.search.value) query.set("q", this.search.value);
    if (this.tag) query.set("tag", this.tag);
    if (this.order.value) query.set("sort", this.order.value);
    if (query.size || location.hash.includes("?")) {
      const path = `#/gallery/${encodeURIComponent(this.chosen)}`;
      if (this.chosen !== LIST) replaceAddress(query.size ? `${path}?${query}` : path);
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
    if (this.chosen === ALL_SETS && this.order.value) return "";
    const names = [this.chosen === ALL_SETS && this.titles.get(set), level != null && describeLevel(level)];
    return names.filter(Boolean).join(" · ");
  }

  #head(part) {
    const entries = this.entries.filter((entry) => this.#partOf(entry) === part);
    const solved = entries.filter((entry) => this.#isSolved(entry)).length;
    return h("li", { class: "part" },
      h("h2", {}, part),
      h("span", { class: "quiet" }, `${solved} of ${entries.length} solved`),
    );
  }

  #card(entry) {
    const { best, helped, current } = this.progress[entry.key] ?? {};
    const size = `${entry.width - 2} × ${entry.height - 2}`;
    return h("li", { class: "card" },
      this.#picture(entry),
      h("div", { class: "card-text" },
        h("a", { href: addressOf("play", entry) }, entry.name),
        h("p", { class: "quiet" }, size, " · ", count(entry.objects, "object")),
        (best || helped || current) &&
          h("p", { class: "quiet" }, describeProgress(entry, best, helped)),
      ),
      best && h("span", { class: "solved-mark" }, this.#stars(entry), h("span", { class: "unseen" }, "Solved")),
      helped && !best && h("span", { class: "solved-mark helped" }, icon("check")),
    );
  }

  /** Draws the thumbnails that have become visible. */
  #draw(seen) {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      this.pictures.unobserve(target);
      try {
        target.append(new Board(parsePwp(target.dataset.pwp), { thumbnail: true }).element);
      } catch (error) {
        target.append(h("p", { class: "quiet" }, error.message));
      }
    }
  }
}

const RANKINGS = { easy: (a, b) => a.rank - b.rank, hard: (a, b) => b.rank - a.rank };

/** Returns the player's progress in a puzzle: "15 moves; 12 are enough". */
function describeProgress(entry, best, helped) {
  if (!best) return helped ? "Solved with help" : "Started";
  const [moves, known] = [count(best.moves, "move"), entry.plan?.length ?? Infinity];
  return known < best.moves ? `${moves}; ${known} are enough` : moves;
}
