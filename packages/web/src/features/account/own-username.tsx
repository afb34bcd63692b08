/** Gives password managers the account of a form; users see it elsewhere on the page. Clearing the form keeps it. */
export function OwnUsername({ email }: { readonly email: string }) {
  return <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />;
}
