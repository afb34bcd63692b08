/** Copying, also where the browser gives plain HTTP no clipboard. */

/** True once the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  // Only on https and on this machine itself.
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
