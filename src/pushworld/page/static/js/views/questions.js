/** Questions of a study as a form: texts, numbers, choices and Likert scales. */

import { announce, button, h } from "./dom.js";

const SHORT_TEXT = 80;

/**
 * Returns a form with questions. Nothing leaves it before every required question has an answer and
 * every answer is valid.
 *
 * @param {Object[]} questions as `Question` in `pushworld/web/studies/study.py` has them
 * @param {{draft: Object, onDraft: (answers: Object) => void,
 *   onSubmit: (answers: Object) => void}} options the answers so far by the questions' ids, and what
 *   to do when one changes and when all are given
 */
export function questionForm(questions, { draft, onDraft, onSubmit }) {
  const answers = {};
  const fields = questions.map((question) => {
    const onAnswer = (value) => {
      if (value === null) delete answers[question.id];
      else answers[question.id] = value;
      onDraft(answers);
    };
    if (question.id in draft) answers[question.id] = draft[question.id];
    return new Field(question, answers[question.id] ?? null, onAnswer);
  });
  let isSent = false;
  const submit = (event) => {
    event.preventDefault();
    const wrong = fields.filter((field) => !field.check());
    if (wrong.length) {
      wrong[0].focus();
      const all = `${wrong.length} answers are missing or not valid.`;
      announce(wrong.length > 1 ? all : wrong[0].problem);
    } else if (!isSent) {
      isSent = true;
      onSubmit(answers);
    }
  };
  return h("form", { class: "questions", novalidate: true, on: { submit } },
    fields.map((field) => field.element),
    h("div", { class: "row end" }, button({ text: "Continue", kind: "primary", type: "submit" })),
  );
}

/** One question, with its answer and what is wrong with it. */
class Field {
  problem = "";

  constructor(question, value, onAnswer) {
    this.question = question;
    this.value = value;
    this.answer = (given) => {
      this.value = given;
      if (this.problem) this.check();
      onAnswer(given);
    };
    const name = `question-${question.id}`;
    this.note = h("p", { class: "wrong", id: `${name}-wrong`, hidden: true });
    const text = [question.text, !question.required && h("span", { class: "quiet" }, " (optional)")];
    const isGroup = question.kind === "choice" || question.kind === "likert";
    const about = { "aria-describedby": this.note.id, "aria-required": question.required ? "true" : null };
    this.control = isGroup ? this.#options(name) : this.#input(name, about);
    const title = isGroup ? h("legend", {}, text) : h("label", { for: name }, text);
    const looks = { class: `question ${question.kind}`, ...(isGroup && { role: "radiogroup", ...about }) };
    this.element = h(isGroup ? "fieldset" : "div", looks, title, this.control, this.note);
  }

  #input(name, about) {
    const { kind, minimum, maximum, integer, max_length: maxlength, lines } = this.question;
    const attributes = { id: name, ...about, on: { input: () => this.answer(read()) } };
    const [min, max, step] = [minimum, maximum, integer ? "1" : "any"];
    const inputmode = integer && minimum >= 0 ? "numeric" : "decimal";
    let control;
    if (kind === "number") {
      control = h("input", { ...attributes, type: "number", min, max, step, inputmode });
    } else if (lines > 1) {
      control = h("textarea", { ...attributes, rows: lines, maxlength });
    } else {
      control = h("input", { ...attributes, type: "text", maxlength, autocomplete: "off" });
      if (maxlength <= SHORT_TEXT) control.size = maxlength;
    }
    const read = () => {
      if (kind !== "number") return control.value.trim() || null;
      return Number.isNaN(control.valueAsNumber) ? null : control.valueAsNumber;
    };
    control.value = this.value ?? "";
    return control;
  }

  #options(name) {
    return h("div", { class: "options" },
      choicesOf(this.question).map(([value, text]) => {
        const radio = h("input", {
          type: "radio",
          name,
          value,
          checked: this.value === value,
          on: { change: () => this.answer(value) },
        });
        return h("label", { class: "option" }, radio, h("span", {}, text));
      }),
    );
  }

  /** Returns whether the answer is valid, and shows what is wrong with it if it is not. */
  check() {
    this.problem = problemOf(this.question, this.value, this.control.validity);
    this.note.textContent = this.problem;
    this.note.hidden = !this.problem;
    const target = this.element.matches("fieldset") ? this.element : this.control;
    target.ariaInvalid = this.problem ? "true" : null;
    return !this.problem;
  }

  focus() {
    const chosen = this.element.querySelector("input:checked");
    (chosen ?? this.element.querySelector("input, textarea")).focus();
  }
}

/** Returns the answers to choose from, with their texts. */
function choicesOf({ kind, options, points }) {
  if (kind === "choice") return options.map((text) => [text, text]);
  const [lowest, highest] = options;
  return Array.from({ length: points }, (_, i) => {
    const label = i === 0 ? lowest : i === points - 1 ? highest : null;
    return [i + 1, [h("b", {}, i + 1), label && h("small", {}, label)]];
  });
}

/** Returns what is wrong with an answer, or an empty text. */
function problemOf({ kind, required, minimum, maximum, integer }, value, validity) {
  if (validity?.badInput) return "Please enter a number.";
  if (value === null) return required ? "Please answer this question." : "";
  if (kind !== "number") return "";
  if (integer && !Number.isInteger(value)) return "Please enter a whole number.";
  if (minimum != null && value < minimum) return `Please enter ${minimum} or more.`;
  return maximum != null && value > maximum ? `Please enter ${maximum} or less.` : "";
}
