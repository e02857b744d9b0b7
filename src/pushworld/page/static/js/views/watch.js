/** The view Watch: one plan, or two side by side, step by step. */

import { count } from "../model/descriptions.js";
import { addressOf, fileName } from "../model/links.js";
import { progressOf } from "../model/progress.js";
import { loadPuzzle, loadSet, loadSets } from "../server/catalogue.js";
import { planGif } from "./animation.js";
import { worthWatching } from "./demo.js";
import { announce, button, download, enable, fill, h, icon, select, toast } from "./dom.js";
import { copyAddress, go, replaceAddress } from "./navigation.js";
import { PlanLane } from "./plan-lane.js";
import { Player } from "./player.js";
import { ZOOM_KEYS } from "./zoom.js";

const SPEEDS = ["1", "2", "5", "15", "50"].map((rate) => [rate, `${rate}/s`]);

/** Opens the route's puzzle, or one worth watching, with the route's plans, or else the best one known. */
export async function openWatch(route, { site }) {
  const sets = await loadSets();
  if (!route.parts.length && !route.query.has("puzzle")) {
    const shown = worthWatching(await loadSet(sets[0].id));
    route.parts = [shown.set, shown.id];
  }
  const found = await loadPuzzle(route);
  const entries = found.entry.set ? await loadSet(found.entry.set) : [];
  const view = new Watch(found, route.query, { sets, entries, site });
  const begin = () => route.query.has("play") && view.player.play();
  const title = `Watch ${found.entry.name}`;
  return { element: view.element, title, begin, close: () => view.close() };
}

class Watch {
  entry; puzzle; sets; entries; site;
  #ending = new AbortController();

  constructor({ entry, puzzle }, query, { sets, entries, site }) {
    Object.assign(this, { entry, puzzle, sets, entries, site });
    this.lanes = [];
    this.player = new Player({
      show: (step) => this.#show(step),
      length: () => Math.max(...this.lanes.map((lane) => lane.length)),
      rate: () => Number(this.speed.value),
      onToggle: (isPlaying) => this.#toggled(isPlaying),
    });
    this.lanesBox = h("div", { class: `lanes ${puzzle.width < puzzle.height ? "" : "wide"}` });
    this.panels = h("div", { class: "lane-panels" });
    this.difference = h("p", { class: "row difference quiet", hidden: true });
    this.element = h("section", { class: "play watch" }, this.#parts());
    const best = entry.key && progressOf(entry.key).best?.plan;
    this.#addLane(query.get("plan") ?? (best || entry.plan || ""));
    if (query.has("other")) this.#addLane(query.get("other"));
    this.player.go(Number.parseInt(query.get("step"), 10) || 0);
    this.#listen();
  }

  #parts() {
    const transport = this.#transport();
    this.compareButton = button({ icon: "compare", text: "Compare" }, () => this.#addLane(""));
    return [
      h("div", { class: "screen" },
        h("header", { class: "info" }, h("h1", {}, this.entry.name)),
        h("div", { class: "stage" }, this.lanesBox, transport),
      ),
      h("div", { class: "side more" },
        this.panels,
        this.difference,
        h("div", { class: "row" },
          this.compareButton,
          button({ icon: "link", text: "Share", label: "Copy a link to what you see" }, () =>
            copyAddress(this.#address()),
          ),
          button({ icon: "download", text: "GIF", label: "Save as an animation" }, () => this.#save()),
        ),
        h("div", { class: "row" }, this.#pickers()),
      ),
    ];
  }

  #pickers() {
    if (!this.entry.set) return null;
    const goTo = (entry) => go(addressOf("watch", entry));
    const sets = this.sets.map(({ id, title }) => [id, title]);
    const puzzles = this.entries.map(({ id, name }) => [id, name]);
    return [
      select("Set", sets, this.entry.set, async (id) => goTo((await loadSet(id))[0])),
      select("Puzzle", puzzles, this.entry.id, (id) => goTo(this.entries.find((entry) => entry.id === id))),
    ];
  }

  #transport() {
    const { player } = this;
    const step = (name, label, keys, by) =>
      button({ icon: name, label, keys }, () => player.go(player.step + by));
    this.playButton = button({ icon: "play", label: "Play", keys: "Space", kind: "primary" }, () =>
      player.toggle(),
    );
    this.back = step("stepBack", "One move back", "ArrowLeft", -1);
    this.forward = step("stepForward", "One move on", "ArrowRight", 1);
    this.scrubber = h("input", {
      type: "range",
      min: 0,
      "aria-label": "Move",
      on: { input: () => player.go(Number(this.scrubber.value)) },
    });
    this.position = h("output", { class: "position" });
    this.speed = select("Moves a second", SPEEDS, "5", () => player.isPlaying && player.play());
    return h("div", { class: "transport", role: "group", "aria-label": "Playback" },
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
        this.player.go(this.player.step);
        this.#compare();
      },
      onRemove: isSecond ? () => this.#removeLane(lane) : undefined,
    });
    this.lanes.push(lane);
    this.lanesBox.append(lane.element);
    this.panels.append(lane.panel);
    this.compareButton.hidden = isSecond;
    lane.setPlan(plan);
    if (isSecond && this.element.isConnected) lane.text.focus();
  }

  #removeLane(lane) {
    this.lanes = this.lanes.filter((one) => one !== lane);
    lane.close();
    this.#compare();
    this.compareButton.hidden = false;
    this.compareButton.focus();
    this.player.go(this.player.step);
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
    fill(this.difference, text, " ", button({ text: "Go there" }, () => this.player.go(step)));
  }

  /** Shows all plans after a number of moves. */
  #show(step) {
    const length = this.player.length();
    for (const lane of this.lanes) lane.show(step);
    this.scrubber.max = length;
    this.scrubber.value = step;
    this.scrubber.disabled = length === 0;
    this.scrubber.setAttribute("aria-valuetext", `move ${step} of ${length}`);
    this.position.textContent = `${step} / ${length}`;
    this.playButton.disabled = length === 0;
    enable(this.back, step > 0, this.playButton);
    enable(this.forward, step < length, this.playButton);
    if (this.element?.isConnected) replaceAddress(this.#address());
  }

  #toggled(isPlaying) {
    const [name, label] = isPlaying ? ["pause", "Pause"] : ["play", "Play"];
    fill(this.playButton, icon(name));
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = `${label} (Space)`;
    const { step } = this.player;
    announce(isPlaying ? "Playing" : `Stopped at move ${step} of ${this.player.length()}`);
    this.lanesBox.style.setProperty("--glide", `${Math.min(110, 800 / this.player.rate())}ms`);
  }

  #listen() {
    const { player } = this;
    const keys = {
      " ": () => player.toggle(),
      ArrowLeft: () => player.go(player.step - 1),
      ArrowRight: () => player.go(player.step + 1),
      Home: () => player.go(0),
      End: () => player.go(player.length()),
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

  /** Saves all plans as one animation, side by side. */
  async #save() {
    toast("The animation is being made.");
    const replays = this.lanes.map((lane) => lane.replay);
    download(fileName(this.entry.name, "gif"), await planGif(this.puzzle, replays, this.player.rate()));
  }

  #address() {
    const [first, second] = this.lanes;
    const { step } = this.player;
    const [plan, other] = [first.plan, second?.plan];
    return addressOf("watch", this.entry, { plan, other, step: step || null });
  }

  close() {
    this.player.stop();
    for (const lane of this.lanes) lane.close();
    this.#ending.abort();
  }
}
