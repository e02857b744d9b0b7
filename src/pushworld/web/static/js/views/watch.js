/** The view Watch: one plan, or two side by side, step by step. */

import { keepRuns, loadedRuns, parseRuns } from "../model/benchmark-runs.js";
import { count } from "../model/descriptions.js";
import { addressOf, slug } from "../model/links.js";
import { progressOf } from "../model/progress.js";
import { decodeText } from "../model/pwp.js";
import { loadPuzzle, loadSet, loadSets } from "../server/catalogue.js";
import { announce, button, chooseFile, fill, h, select, toast } from "./dom.js";
import { copyAddress, go, replaceAddress } from "./navigation.js";
import { PlanLane } from "./plan-lane.js";
import { ZOOM_KEYS } from "./zoom.js";

const SPEEDS = ["1", "2", "5", "15", "50"].map((rate) => [rate, `${rate}/s`]);

/** Opens the route's puzzle with the route's plans; without a puzzle, the first of the site. */
export async function openWatch(route, { site }) {
  const sets = await loadSets();
  if (!route.parts.length && !route.query.has("puzzle")) {
    const [first] = await loadSet(sets[0].id);
    route = { ...route, parts: [first.set, first.id] };
  }
  const found = await loadPuzzle(route);
  const entries = found.entry.set ? await loadSet(found.entry.set) : [];
  const view = new Watch(found, route.query, { sets, entries, site });
  return { element: view.element, title: `Watch ${found.entry.name}`, close: () => view.close() };
}

class Watch {
  #ending = new AbortController();
  #timer = 0;

  constructor({ entry, puzzle }, query, { sets, entries, site }) {
    Object.assign(this, { entry, puzzle, sets, entries, site });
    this.step = 0;
    this.lanes = [];
    this.lanesBox = h("div", { class: "lanes" });
    this.#buildTransport();
    this.resultsBox = h("p", { class: "quiet", hidden: true });
    this.difference = h("p", { class: "difference quiet", hidden: true });
    this.element = h(
      "section",
      { class: "watch" },
      h(
        "header",
        { class: "heading" },
        h("h1", {}, entry.name),
        h(
          "div",
          { class: "row" },
          this.#pickers(),
          this.compareButton,
          button({ icon: "upload", text: "Load results" }, () => this.#loadResults()),
          button({ icon: "link", text: "Copy link" }, () => copyAddress(this.#address())),
        ),
      ),
      this.resultsBox,
      this.difference,
      this.lanesBox,
      this.transport,
    );
    const best = entry.key ? progressOf(entry.key).best?.plan : "";
    this.#addLane(query.get("plan") ?? best ?? "");
    if (query.has("other")) this.#addLane(query.get("other"));
    this.go(Number.parseInt(query.get("step"), 10) || 0);
    this.#offerResults();
    this.#listen();
  }

  #pickers() {
    if (!this.entry.set) return null;
    const goTo = (entry) => go(addressOf("watch", entry));
    return [
      select(
        "Set",
        this.sets.map(({ id, title }) => [id, title]),
        this.entry.set,
        async (id) => goTo((await loadSet(id))[0]),
      ),
      select(
        "Puzzle",
        this.entries.map(({ id, name }) => [id, name]),
        this.entry.id,
        (id) => goTo(this.entries.find((entry) => entry.id === id)),
      ),
    ];
  }

  #buildTransport() {
    this.playButton = button({ icon: "play", label: "Play", keys: "Space", kind: "primary" }, () =>
      this.toggle(),
    );
    this.back = button({ icon: "stepBack", label: "One move back", keys: "ArrowLeft" }, () =>
      this.go(this.step - 1),
    );
    this.forward = button({ icon: "stepForward", label: "One move on", keys: "ArrowRight" }, () =>
      this.go(this.step + 1),
    );
    this.scrubber = h("input", {
      type: "range",
      min: 0,
      "aria-label": "Move",
      on: { input: () => this.go(Number(this.scrubber.value)) },
    });
    this.position = h("output", { class: "position" });
    this.speed = select("Moves a second", SPEEDS, "5", () => this.playing && this.#schedule());
    this.compareButton = button({ icon: "compare", text: "Compare" }, () =>
      this.#addLane(""),
    );
    this.transport = h(
      "div",
      { class: "transport", role: "group", "aria-label": "Playback" },
      this.back,
      this.playButton,
      this.forward,
      this.scrubber,
      this.position,
      this.speed,
    );
  }

  #addLane(plan) {
    const isSecond = this.lanes.length > 0;
    const lane = new PlanLane(this.puzzle, this.entry, isSecond ? "B" : "A", {
      site: this.site,
      onChange: () => {
        this.go(this.step);
        this.#compare();
      },
      onRemove: isSecond ? () => this.#removeLane(lane) : undefined,
    });
    this.lanes.push(lane);
    this.lanesBox.append(lane.element);
    this.compareButton.hidden = isSecond;
    lane.setPlan(plan);
    if (isSecond && this.element.isConnected) lane.text.focus();
  }

  #removeLane(lane) {
    this.lanes = this.lanes.filter((one) => one !== lane);
    lane.close();
    lane.element.remove();
    this.#compare();
    this.compareButton.hidden = false;
    this.compareButton.focus();
    this.go(this.step);
  }

  /** Shows after how many moves the two plans differ. */
  #compare() {
    const [first, second] = this.lanes.map((lane) => lane.plan);
    this.difference.hidden = !first || !second;
    if (this.difference.hidden) return;
    if (first === second) {
      fill(this.difference, "The two plans are the same.");
      return;
    }
    const parting = Array.from(first).findIndex((letter, i) => letter !== second[i]);
    const step = parting < 0 ? first.length : parting;
    const text = step ? `The plans part after ${count(step, "move")}.` : "The plans part at once.";
    fill(this.difference, text, " ", button({ text: "Go there" }, () => this.go(step)));
  }

  get length() {
    return Math.max(...this.lanes.map((lane) => lane.length));
  }

  get playing() {
    return this.#timer !== 0;
  }

  /** Shows all plans after a number of moves. */
  go(step) {
    this.step = Math.max(0, Math.min(step, this.length));
    for (const lane of this.lanes) lane.show(this.step);
    this.scrubber.max = this.length;
    this.scrubber.value = this.step;
    this.scrubber.disabled = this.length === 0;
    this.scrubber.setAttribute("aria-valuetext", `move ${this.step} of ${this.length}`);
    this.position.textContent = `${this.step} / ${this.length}`;
    this.back.disabled = this.step === 0;
    this.forward.disabled = this.step === this.length;
    this.playButton.disabled = this.length === 0;
    if (this.step === this.length) this.#stop();
    if (this.element?.isConnected) replaceAddress(this.#address());
  }

  toggle() {
    if (this.playing) return this.#stop();
    if (!this.length) return undefined;
    if (this.step === this.length) this.go(0);
    announce("Playing");
    return this.#schedule();
  }

  #schedule() {
    clearInterval(this.#timer);
    const pause = 1000 / Number(this.speed.value);
    this.lanesBox.style.setProperty("--glide", `${Math.min(110, pause * 0.8)}ms`);
    this.#timer = setInterval(() => this.go(this.step + 1), pause);
    this.#showPlaying();
  }

  #stop() {
    if (!this.playing) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#showPlaying();
    announce(`Stopped at move ${this.step} of ${this.length}`);
  }

  #showPlaying() {
    const [name, label] = this.playing ? ["pause", "Pause"] : ["play", "Play"];
    const looks = button({ icon: name, label }, () => {});
    this.playButton.replaceChildren(...looks.children);
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = `${label} (Space)`;
  }

  #listen() {
    const keys = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.go(this.step - 1),
      ArrowRight: () => this.go(this.step + 1),
      Home: () => this.go(0),
      End: () => this.go(this.length),
    };
    for (const [key, direction] of Object.entries(ZOOM_KEYS)) {
      keys[key] = () => this.lanes.forEach((lane) => lane.zoom.step(direction));
    }
    document.addEventListener(
      "keydown",
      (event) => {
        const inField = event.target.closest("input, textarea, select, dialog");
        const pressesButton = event.key === " " && event.target.closest("button, a");
        if (!keys[event.key] || inField || pressesButton || event.ctrlKey || event.altKey) return;
        event.preventDefault();
        keys[event.key]();
      },
      { signal: this.#ending.signal },
    );
  }

  async #loadResults() {
    const { name, bytes } = await chooseFile(".jsonl,.ndjson,.json");
    try {
      keepRuns(parseRuns(decodeText(bytes)));
      this.#offerResults();
    } catch (error) {
      this.#sayOfResults(`${name}: ${error.message}`);
    }
    announce(this.resultsBox.firstChild.data);
  }

  #offerResults() {
    const runs = loadedRuns();
    for (const lane of this.lanes) lane.offerRuns();
    if (!runs.length) return;
    const names = [...new Set(runs.map((run) => run.puzzle))];
    this.#sayOfResults(
      `${runs.length} plans for ${names.length} puzzles are loaded. `,
      names.length > 1 &&
        select(
          "Puzzle of the results",
          [["", "Go to a puzzle"], ...names.map((name) => [name, name])],
          "",
          (name) => name && this.#goToPuzzle(name),
        ),
    );
  }

  async #goToPuzzle(name) {
    for (const { id } of this.sets) {
      const entry = (await loadSet(id)).find((one) => one.id === slug(name));
      if (entry) return go(addressOf("watch", entry));
    }
    return toast(`No set of this site has the puzzle ${name}.`);
  }

  #sayOfResults(...content) {
    this.resultsBox.hidden = false;
    fill(this.resultsBox, ...content);
  }

  #address() {
    const [first, second] = this.lanes;
    return addressOf("watch", this.entry, {
      plan: first.plan,
      other: second?.plan,
      step: this.step || null,
    });
  }

  close() {
    clearInterval(this.#timer);
    for (const lane of this.lanes) lane.close();
    this.#ending.abort();
  }
}
