/** Recognizes names of rules that describe nothing. */

/** Ids that describe nothing: `B104`, `CKV2_DOCKER_2`, `AVD-AZU-0014`, a UUID, a hash. */
const CODE =
  /^(?:[A-Za-z]{0,6}-?\d+|[A-Z]{1,6}\d?(?:[-_][A-Z0-9]+)*[-_]\d+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4,12}){4}|(?=.*\d)[0-9a-fA-F]{12,128})$/;

export function isCode(name: string): boolean {
  return CODE.test(name.trim());
}
