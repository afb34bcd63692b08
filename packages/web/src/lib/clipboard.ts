/** Copies text. On plain HTTP browsers offer no clipboard, so callers need a fallback. */

/** Resolves to true once the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  // The clipboard exists only on HTTPS and on localhost.
  if (isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }
  return false;
}
