/** A keyboard user: moves from element to element, and checks that the focus is always visible. */
import type { Locator, Page } from 'playwright-core';

/** More steps than any path needs. */
const STEPS_MAX = 80;

interface Step {
  readonly isThere: boolean;
  /** The element with an invisible focus; empty if the focus is visible or has left the page at its end. */
  readonly unseen: string;
}

/** The globals of a function that runs in the page. */
interface PageWindow {
  readonly document: { readonly activeElement: Focused | null; readonly body: Focused };
  getComputedStyle(element: Focused): { readonly outlineStyle: string; readonly outlineWidth: string };
}
interface Focused {
  readonly outerHTML: string;
}

/** Runs in the page on all matching elements. */
function look(wanted: Focused[]): Step {
  const { document, getComputedStyle } = globalThis as unknown as PageWindow;
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return { isThere: false, unseen: '' };
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  return { isThere: wanted.includes(focused), unseen: isSeen ? '' : focused.outerHTML.slice(0, 200) };
}

export interface Keys {
  /** Presses Tab until the element has the focus, which must be visible at each step. */
  tabTo(wanted: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Moves to the element and presses a key. */
  pressOn(wanted: Locator, key?: string): Promise<void>;
  /** Moves to the element backwards, for instance to one at the top, and presses a key. */
  pressBackOn(wanted: Locator, key?: string): Promise<void>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses a key that moves the focus, perhaps with a delay, and waits until the element has it. */
  moveTo(wanted: Locator, key: string): Promise<void>;
  /** Waits until the element has the focus. */
  isOn(wanted: Locator): Promise<void>;
  /** Waits until some element has the focus: removing an element must not lose it. */
  isSomewhere(): Promise<void>;
}

export function keysOf(page: Page): Keys {
  const { keyboard } = page;
  const focused = (wanted: Locator) => wanted.and(page.locator(':focus'));

  async function tabTo(wanted: Locator, key = 'Tab'): Promise<void> {
    await wanted.waitFor();
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      await keyboard.press(key);
      const { isThere, unseen } = await wanted.evaluateAll(look);
      if (unseen !== '') throw new Error(`The focus is not visible on ${unseen}.`);
      if (isThere) return;
    }
    throw new Error(`Tab does not reach ${String(wanted)}.`);
  }
  const isOn = (wanted: Locator) => focused(wanted).waitFor();

  return {
    tabTo,
    async pressOn(wanted, key = 'Enter') {
      await tabTo(wanted);
      await keyboard.press(key);
    },
    async pressBackOn(wanted, key = 'Enter') {
      await tabTo(wanted, 'Shift+Tab');
      await keyboard.press(key);
    },
    press: (key) => keyboard.press(key),
    type: (text) => keyboard.type(text),
    async moveTo(wanted, key) {
      await keyboard.press(key);
      await isOn(wanted);
    },
    isOn,
    async isSomewhere() {
      await page.locator(':focus').waitFor({ state: 'attached' });
    },
  };
}
