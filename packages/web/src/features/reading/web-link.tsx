/** A link in a report. It opens in a new tab, and sends no referrer to the linked site. */
export function WebLink({ address, text = address }: { readonly address: string; readonly text?: string }) {
  return (
    <a
      href={address}
      title={text === address ? undefined : address}
      rel="noreferrer noopener nofollow"
      target="_blank"
      className="wrap-anywhere text-accent-text underline"
    >
      {text}
    </a>
  );
}
