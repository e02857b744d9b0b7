/** Plays steps one after the other: the timer behind boards that move by themselves. */
export class Player {
  show; length; rate; onToggle; loops;
  #timer = 0;

  /**
   * @param {{show: (step: number) => void, length: () => number, rate: () => number,
   *   onToggle?: (isPlaying: boolean) => void, loops?: boolean}} handlers what shows a step, how many
   *   there are, how many are shown in a second, what to do when it begins and stops to play, and
   *   whether it begins anew at the end
   */
  constructor(handlers) {
    Object.assign(this, handlers);
    this.step = 0;
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  /** Shows a step; stops at the last one. */
  go(step) {
    this.step = Math.max(0, Math.min(step, this.length()));
    if (this.step === this.length() && !this.loops) this.stop();
    this.show(this.step);
  }

  /** Plays on from this step, or from the start if it is the last one. */
  play() {
    if (this.step === this.length()) this.go(0);
    clearInterval(this.#timer);
    const next = () => (this.step === this.length() ? 0 : this.step + 1);
    this.#timer = setInterval(() => this.go(next()), 1000 / this.rate());
    this.onToggle?.(true);
  }

  stop() {
    if (!this.isPlaying) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    this.onToggle?.(false);
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else if (this.length()) this.play();
  }
}
