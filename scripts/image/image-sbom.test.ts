import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import { imageSbom } from './image-sbom.ts';

test('the bill of materials of the image is valid, and lists packages, Node and libraries once each', async () => {
  const fastify = {
    type: 'library',
    'bom-ref': 'fastify@5.12.8',
    name: 'fastify',
    version: '5.12.8',
    properties: [{ name: 'svc:included', value: 'bundled' }],
  };
  const sbom = imageSbom({
    version: '0.1.0',
    nodeVersion: '24.21.0',
    libraries: [{ name: 'libstdc++6', version: '14.2.0-19', architecture: 'amd64' }],
    sboms: [{ components: [fastify] }, { components: [fastify] }],
  });
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(JSON.stringify(sbom))).toBeNull();
  expect(sbom.components.map((each) => each['bom-ref'])).toEqual([
    'fastify@5.12.8',
    'node@24.21.0',
    'deb:libstdc++6@14.2.0-19',
  ]);
  expect(sbom.components.at(-1)).toMatchObject({
    purl: 'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64',
  });
});
