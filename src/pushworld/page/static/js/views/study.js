/** A study: from consent to the completion code, in the order that the server assigns. */

import { sentence } from "../model/descriptions.js";
import { read, write } from "../model/storage.js";
import { StudyServer } from "../server/study-server.js";
import { ask, openHelp, openSettings, showTopActions } from "./dialogs.js";
import { button, fill, h, toast } from "./dom.js";
import { copyText } from "./navigation.js";
import { questionForm } from "./questions.js";
import { ENDS, StudyGame } from "./study-game.js";

/** Opens the study of a site in an element. */
export function openStudy(site, main) {
  return new Study(site, main).enter();
}

class Study {
  site; main;
  #game = null;
  #next = null;

  constructor(site, main) {
    Object.assign(this, { site, main });
    const link = new URLSearchParams(location.search);
    const named = site.study.parameters.filter((name) => link.has(name));
    this.parameters = Object.fromEntries(named.map((name) => [name, link.get(name)]));
    this.trouble = h("p", { class: "trouble", role: "status" });
    const [id] = site.study.parameters;
    this.server = new StudyServer(link.get(id) ?? "", {
      onTrouble: (text) => this.#showTrouble(text),
      onStored: (stored) => this.#stored(stored),
      onRefusal: (refusal) => this.#refused(refusal),
    });
    this.#dress();
  }

  /** Removes what leads away from the study, and adds the notice about the connection. */
  #dress() {
    document.querySelector(".views").remove();
    const brand = document.querySelector(".brand");
    brand.replaceWith(h("span", { class: "brand" }, ...brand.childNodes));
    this.main.before(this.trouble);
    this.withdrawButton = button({ text: "Withdraw" }, () => this.#withdraw());
    const help = () => openHelp("play", this.#game?.tools ?? {});
    showTopActions(help, () => openSettings(this), this.withdrawButton);
  }

  /** Shows where the participant is: at the start, after a reload, or where another window was. */
  async enter() {
    await this.#go(this.server.enter(this.parameters));
  }

  /** Shows where the participant is after a request. */
  async #go(answer) {
    try {
      this.#show(await answer);
    } catch (error) {
      this.#refused(error);
    }
  }

  #show(now) {
    this.#next = null;
    this.#game?.close();
    this.#game = null;
    this.withdrawButton.hidden = !this.site.study.withdrawal || !now.token;
    this[`_${now.stage}`](now);
  }

  /** Puts a page of text on the screen. */
  #page(stage, title, ...content) {
    const head = h("h1", { tabindex: "-1", data: { autofocus: "" } }, title);
    this.#put(stage, h("section", { class: "study" }, head, content), title);
  }

  #put(stage, element, title) {
    const isFirst = !this.main.dataset.ready;
    fill(this.main, element);
    fill(document.getElementById("toasts"));
    document.title = `${title} · ${this.site.study.title}`;
    this.main.dataset.ready = stage;
    scrollTo(0, 0);
    if (!isFirst) this.main.querySelector("[data-autofocus]").focus({ preventScroll: true });
  }

  _consent({ text }) {
    const answer = (agreed) => this.#go(this.server.consent(this.parameters, agreed));
    this.#page(
      "consent",
      this.site.study.title,
      paragraphs(text),
      h("div", { class: "row end" },
        once({ text: "I do not agree" }, () => answer(false)),
        once({ text: "I agree", kind: "primary" }, () => answer(true)),
      ),
    );
  }

  _declined() {
    this.#page(
      "declined",
      "You do not take part",
      h("p", {}, "Nothing about you was stored. You can close this window."),
      h("div", { class: "row" }, once({ text: "Back to the consent form" }, () => this.enter())),
    );
  }

  _instructions({ text }) {
    this.#page(
      "instructions",
      "Instructions",
      paragraphs(text),
      goOn(() => this.#go(this.server.instructed())),
    );
  }

  _puzzle(now) {
    const { text, started } = now.puzzle;
    if (!text || started) {
      this.#play(now);
      return;
    }
    this.#page(
      "block",
      `Puzzle ${now.done + 1} of ${now.total}`,
      paragraphs(text),
      goOn(() => this.#play(now)),
    );
  }

  #play({ puzzle, total }) {
    const { site, server } = this;
    const game = new StudyGame(puzzle, { site, total, server, onEnd: () => this.#leaveGame() });
    this.#game = game;
    this.#put("puzzle", game.element, game.entry.name);
    game.begin();
  }

  /** Takes note of the server's answer to events: the puzzle may be over, or the page may be wrong. */
  #stored(stored) {
    const { refused, outcome, now } = stored;
    if (refused && !outcome) {
      this.#show(now);
      toast("The page and the server did not agree, so you see what the server has.");
      return;
    }
    // An answer may be late: about the puzzle before this one.
    if (!this.#game || (outcome && !(now?.done > this.#game.trial))) return;
    this.#game.stored(stored);
    if (!now) return;
    if (this.#next?.isWaiting) this.#show(now);
    else this.#next = now;
  }

  /** Goes on from a puzzle that is over, as soon as the server knows that it is. */
  #leaveGame() {
    if (this.#next?.stage) this.#show(this.#next);
    else this.#next = { isWaiting: true };
  }

  _questions({ done, total, questions: { trial, outcome, text, picture, questions } }) {
    const who = JSON.stringify([this.parameters, trial]);
    const draft = read("study.draft", null);
    const form = questionForm(questions, {
      draft: draft?.who === who ? draft.answers : {},
      onDraft: (answers) => write("study.draft", { who, answers }),
      onSubmit: async (answers) => {
        await this.#go(this.server.answer(trial, answers));
        write("study.draft", null);
      },
    });
    const about = trial === null ? "Last questions" : "About this puzzle";
    this.#page(
      "questions",
      picture ? `Puzzle ${done + 1} of ${total}` : about,
      outcome && h("p", {}, ENDS[outcome]),
      text && paragraphs(text),
      picture && h("img", { class: "asked", src: picture, alt: "The puzzle" }),
      form,
    );
  }

  _finished({ finished: { text, code, redirect } }) {
    const isWeb = /^https?:\/\//i.test(redirect ?? "");
    this.#page(
      "finished",
      "The study is complete",
      paragraphs(text),
      code && completionCode(code),
      isWeb &&
        h("div", { class: "row end" },
          h("a", { class: "button primary", href: redirect, rel: "noreferrer" }, "Finish"),
        ),
      !redirect && h("p", {}, "You can close this window."),
    );
  }

  _withdrawn() {
    this.#page(
      "withdrawn",
      "You have withdrawn",
      h("p", {}, "Everything that was stored about you is deleted. You can close this window."),
    );
  }

  #withdraw() {
    const text =
      "You leave the study, and everything that was stored about you is deleted. This cannot be " +
      "undone.";
    ask("Withdraw from the study?", text, ["Cancel", "Withdraw"], (isSure) => {
      if (!isSure) return;
      this.#game?.close();
      write("study.draft", null);
      this.#go(this.server.withdraw());
    });
  }

  /** Shows why the server refuses to go on. */
  #refused(refusal) {
    this.#game?.close();
    this.#game = null;
    this.withdrawButton.hidden = true;
    const { code, message } = refusal;
    const [title, text] = REFUSALS[code] ?? [NOT_OPEN, `${sentence(message)}.`];
    const again = code === "elsewhere" ? "Continue here" : "Try again";
    this.#page(
      code ?? "problem",
      title,
      paragraphs(text),
      code !== "unknown" &&
        h("div", { class: "row" }, once({ text: again }, () => this.enter())),
    );
    if (!code) throw refusal;
  }

  #showTrouble(text) {
    const shown = text ? `${text} What you did is kept, and sent as soon as possible.` : "";
    if (this.trouble.textContent !== shown) this.trouble.textContent = shown;
  }
}

const NOT_OPEN = "The study cannot be opened";
const REFUSALS = {
  elsewhere: [
    "The study is open in another window",
    "You have opened this study in another window, and it goes on there.",
  ],
  browser: [
    "The study was begun in another browser",
    "Go on in the browser in which you began. If you cannot, tell the people who run the study.",
  ],
  unknown: ["You have withdrawn", "Nothing is stored about you any more. You can close this window."],
};

/** Returns a text as paragraphs; empty lines part them. */
function paragraphs(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => h("p", { class: "prose" }, part));
}

/** Returns a button that can be pressed once. */
function once(looks, action) {
  const element = button(looks, () => {
    element.disabled = true;
    action();
  });
  return element;
}

/** Returns the button that leads from a page of text to the next. */
const goOn = (action) => h("div", { class: "row end" }, once({ text: "Continue", kind: "primary" }, action));

/** Returns the completion code, to be copied. */
function completionCode(code) {
  const field = h("output", { class: "code", "aria-label": "Completion code" }, code);
  const copy = () => copyText(code, "The code is copied.");
  return h("div", { class: "completion" },
    h("p", {}, "Your completion code:"),
    h("div", { class: "row" }, field, button({ icon: "link", text: "Copy the code" }, copy)),
  );
}
