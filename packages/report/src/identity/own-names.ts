/** The names by which the import recognizes SARIF logs that this program exported. */
export const OWN_TOOL = 'svc';
/** The name of the partial fingerprint that contains the fingerprint of the exported finding. */
export const OWN_FINGERPRINT = 'svcFingerprint/v1';
