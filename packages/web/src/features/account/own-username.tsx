/** Gives password managers the account of a form; users see it elsewhere on the page. */
export function OwnUsername({ email }: { readonly email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
