/**
 * The bill of materials of the image, in CycloneDX: what the package's own bills list, Node, and Debian's libraries.
 */
import type { Sbom } from '../sbom.ts';
import type { DebianPackage } from './libraries.ts';

interface ImageContents {
  readonly version: string;
  readonly nodeVersion: string;
  readonly libraries: readonly DebianPackage[];
  readonly sboms: readonly Sbom[];
}

export function imageSbom({ version, nodeVersion, libraries, sboms }: ImageContents) {
  const packages = new Map(
    sboms.flatMap(({ components }) => components.map((each) => [each['bom-ref'], each] as const)),
  );
  const components = [
    ...[...packages.values()].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    {
      type: 'application',
      'bom-ref': `node@${nodeVersion}`,
      name: 'node',
      version: nodeVersion,
      cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
      purl: `pkg:generic/node@${nodeVersion}`,
    },
    ...libraries.map(({ name, version: itsVersion, architecture }) => ({
      type: 'library',
      'bom-ref': `deb:${name}@${itsVersion}`,
      name,
      version: itsVersion,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(itsVersion)}?arch=${architecture}`,
    })),
  ];
  const self = `svc-server@${version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'container', 'bom-ref': self, name: 'svc-server', version },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((each) => each['bom-ref']) }],
  };
}
