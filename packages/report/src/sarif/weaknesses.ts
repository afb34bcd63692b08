/** The usual names of weaknesses by their CWE numbers, and of the risks of the OWASP Top Ten. */
const named: readonly (readonly [category: string, cwes: readonly number[]])[] = [
  ['sql_injection', [89, 564, 943]],
  ['cross_site_scripting', [79, 80, 83, 87, 116]],
  ['command_injection', [77, 78, 88]],
  ['code_injection', [94, 95, 96, 470, 1336]],
  ['path_traversal', [22, 23, 24, 35, 36, 73]],
  ['server_side_request_forgery', [918]],
  ['xml_external_entity', [611, 776, 827]],
  ['xml_injection', [91]],
  ['xpath_injection', [643]],
  ['ldap_injection', [90]],
  ['log_injection', [117]],
  ['header_injection', [93, 113, 644]],
  ['format_string', [134]],
  ['open_redirect', [601]],
  ['insecure_deserialization', [502]],
  ['cross_site_request_forgery', [352]],
  ['exposed_secret', [259, 321, 540, 798]],
  ['cleartext_storage', [256, 312, 313, 315, 316]],
  ['cleartext_transmission', [319, 523]],
  ['weak_cryptography', [326, 327, 328, 329, 780, 916]],
  ['weak_randomness', [330, 335, 337, 338]],
  ['improper_certificate_validation', [295, 297, 299]],
  ['missing_authentication', [287, 306]],
  ['missing_authorization', [284, 285, 425, 862, 863]],
  ['insecure_direct_object_reference', [639]],
  ['session_fixation', [384]],
  ['insecure_cookie', [614, 1004, 1275]],
  ['clickjacking', [1021]],
  ['information_exposure', [200, 201, 203, 215, 532, 538, 548]],
  ['verbose_error_message', [209, 210]],
  ['unrestricted_upload', [434]],
  ['mass_assignment', [915]],
  ['prototype_pollution', [1321]],
  ['denial_of_service', [400, 730, 770, 1333]],
  ['buffer_overflow', [119, 120, 121, 122, 125, 131, 787]],
  ['use_after_free', [415, 416]],
  ['integer_overflow', [190, 191, 681]],
  ['null_dereference', [476]],
  ['race_condition', [362, 367]],
  ['insecure_temporary_file', [377, 378, 379]],
  ['insecure_permissions', [276, 732]],
  ['improper_input_validation', [20]],
  ['vulnerable_dependency', [937, 1035, 1104, 1395]],
];
const categories = new Map(named.flatMap(([category, cwes]) => cwes.map((cwe) => [cwe, category])));

/** The category of the first number that has one. */
export function categoryOfCwe(cwes: readonly number[]): string | undefined {
  return cwes.map((cwe) => categories.get(cwe)).find((category) => category !== undefined);
}

/** The risks of 2021; other years number them differently. */
const risks2021: Readonly<Record<string, string>> = {
  A01: 'broken_access_control',
  A02: 'cryptographic_failures',
  A03: 'injection',
  A04: 'insecure_design',
  A05: 'security_misconfiguration',
  A06: 'vulnerable_dependency',
  A07: 'authentication_failures',
  A08: 'integrity_failures',
  A09: 'logging_failures',
  A10: 'server_side_request_forgery',
};

const RISK = /\b(A(?:0[1-9]|10|[1-9])):((?:20)\d\d)\b/;

/** `A03:2021` from `OWASP-A03:2021 - Injection`. */
export function owaspRisk(tag: string): string | undefined {
  const [, risk, year] = RISK.exec(tag) ?? [];
  return risk === undefined ? undefined : `${risk}:${year ?? ''}`;
}

export function categoryOfRisk(risk: string): string | undefined {
  const [number = '', year] = risk.split(':');
  return year === '2021' ? risks2021[number] : undefined;
}
