/** A link that a report bears. It opens beside the report, and the site that it leads to learns nothing of where from. */
export function WebLink({ address }: { readonly address: string }) {
  return (
    <a
      href={address}
      rel="noreferrer noopener nofollow"
      target="_blank"
      className="wrap-anywhere text-accent-text underline"
    >
      {address}
    </a>
  );
}
