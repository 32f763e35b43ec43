/** The part of a CycloneDX document that is read or changed here. The rest is kept unchanged. */
export interface Sbom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Record<string, unknown> };
  components: SbomComponent[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}
interface SbomComponent {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  scope?: string;
  properties?: { name: string; value: string }[];
}

export interface Shipped {
  name: string;
  version: string;
}

/**
 * The shipped part of npm's bill of everything that is installed: the bundles contain what npm calls development
 * packages. Errors: throws for a shipped package that is not in the lock file.
 */
export function shippedSbom(whole: Sbom, shipped: readonly Shipped[], app: Shipped): Sbom {
  const components = shipped.map(({ name, version }) => {
    const found = whole.components.find((one) => one.name === name && one.version === version);
    if (found === undefined) throw new Error(`${name} ${version} is shipped and not in the lock file.`);
    const { properties = [], ...component } = found;
    return {
      ...component,
      scope: 'required',
      // Paths in node_modules, and the fact that it is a development package, say nothing about what is shipped.
      properties: properties.filter((property) => !property.name.startsWith('cdx:npm:package:')),
    };
  });
  const refs = new Set(components.map((component) => component['bom-ref']));
  const root = String(whole.metadata.component['bom-ref']);
  return {
    ...whole,
    metadata: { ...whole.metadata, component: { ...whole.metadata.component, ...app, type: 'application' } },
    components,
    dependencies: [
      { ref: root, dependsOn: [...refs] },
      ...whole.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
    ],
  };
}

/** Whether this is a CycloneDX document as npm writes it. */
export function isSbom(value: unknown): value is Sbom {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bomFormat' in value &&
    value.bomFormat === 'CycloneDX' &&
    'components' in value &&
    Array.isArray(value.components) &&
    'dependencies' in value &&
    'metadata' in value
  );
}
