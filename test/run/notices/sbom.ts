/** What of a CycloneDX document is read or changed here; the rest goes along as it is. */
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
 * Of npm's bill of everything that is installed, the part that is shipped: our bundles hold what npm calls development
 * packages. Errors: throws for a shipped package that the lock file does not know.
 */
export function shippedSbom(whole: Sbom, shipped: readonly Shipped[], app: Shipped): Sbom {
  const components = shipped.map(({ name, version }) => {
    const found = whole.components.find((one) => one.name === name && one.version === version);
    if (found === undefined) throw new Error(`${name} ${version} is shipped and not in the lock file.`);
    const { properties = [], ...component } = found;
    return {
      ...component,
      scope: 'required',
      // Places in node_modules, and that it is a development package, say nothing of what is shipped.
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

/** True where this is a CycloneDX document as npm writes it. */
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
