/** A person at a page without a mouse: goes from one element to the next, and always sees where they are. */
import type { Locator, Page } from 'playwright-core';

/** More than any way takes. */
const STEPS_MAX = 80;

interface Step {
  readonly isThere: boolean;
  /** What has the focus without showing it; empty where the focus is visible, or has left the page at its end. */
  readonly unseen: string;
}

/** Of the window that a function of the page runs in. */
interface PageWindow {
  readonly document: { readonly activeElement: Focused | null; readonly body: Focused };
  getComputedStyle(element: Focused): { readonly outlineStyle: string; readonly outlineWidth: string };
}
interface Focused {
  readonly outerHTML: string;
}

/** Run in the page, on all that is wanted. */
function look(wanted: Focused[]): Step {
  const { document, getComputedStyle } = globalThis as unknown as PageWindow;
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return { isThere: false, unseen: '' };
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  return { isThere: wanted.includes(focused), unseen: isSeen ? '' : focused.outerHTML.slice(0, 200) };
}

export interface Keys {
  /** Goes on until the focus is where it is wanted; it is seen at each step of the way. */
  tabTo(wanted: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Goes there and presses a key. */
  pressOn(wanted: Locator, key?: string): Promise<void>;
  /** Goes there backwards, as to what stands at the top. */
  pressBackOn(wanted: Locator, key?: string): Promise<void>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses a key that moves the focus in a moment; the next key counts from where it is by then. */
  moveTo(wanted: Locator, key: string): Promise<void>;
  /** Waits for the focus to be there. */
  isOn(wanted: Locator): Promise<void>;
  /** Waits for the focus to be anywhere in the page: nothing that has gone has taken it along. */
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
      if (unseen !== '') throw new Error(`The focus is not visible on ${unseen}`);
      if (isThere) return;
    }
    throw new Error(`The keys do not come to ${String(wanted)}.`);
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
