// What the page uses of browsers beyond TypeScript's own table: elements that a selector finds are HTML.
interface Element {
  readonly dataset: DOMStringMap;
  inert: boolean;
  close?(): void;
  focus(options?: FocusOptions): void;
}
interface EventTarget {
  closest?(selector: string): HTMLElement | null;
}
interface Navigator {
  readonly connection?: { saveData: boolean };
  readonly deviceMemory?: number;
}
