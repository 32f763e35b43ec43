import type { Template } from './template.ts';

export interface TemplateFieldInfo {
  label: string;
  /** Null if it has none. */
  unit: string | null;
  /** One sentence (spec: Template). */
  meaning: string;
  isUpdatable: boolean;
}

/** Every field of the Template table. A field of the type without an entry does not compile. */
export const templateFields: Readonly<Record<keyof Template, TemplateFieldInfo>> = {
  id: {
    label: 'Id',
    unit: null,
    meaning: 'Identifies the template. An update names it and cannot change it.',
    isUpdatable: false,
  },
  name: { label: 'Name', unit: null, meaning: 'Yours to choose; no two templates have the same.', isUpdatable: true },
  imageName: { label: 'Image', unit: null, meaning: 'The container image with its tag.', isUpdatable: true },
  category: {
    label: 'Category',
    unit: null,
    meaning: "Used to filter in the service's own pages: NVIDIA, AMD or CPU.",
    isUpdatable: false,
  },
  containerDiskInGb: {
    label: 'Container disk',
    unit: 'GB',
    meaning: "Size of the container's disk. It is wiped on restart.",
    isUpdatable: true,
  },
  containerRegistryAuthId: {
    label: 'Registry auth',
    unit: null,
    meaning: 'The registry login a private image is pulled with.',
    isUpdatable: true,
  },
  dockerEntrypoint: {
    label: 'Entrypoint',
    unit: null,
    meaning: "Replaces the image's ENTRYPOINT. An empty list uses the image's own.",
    isUpdatable: true,
  },
  dockerStartCmd: {
    label: 'Start command',
    unit: null,
    meaning: "Replaces the image's CMD. An empty list uses the image's own.",
    isUpdatable: true,
  },
  earned: {
    label: 'Earned',
    unit: 'credits',
    meaning: 'What its creator earned from all pods and workers made from it.',
    isUpdatable: false,
  },
  env: {
    label: 'Environment',
    unit: null,
    meaning: 'Variables that every instance starts with. They are sent as a whole.',
    isUpdatable: true,
  },
  isPublic: {
    label: 'Public template',
    unit: null,
    meaning: 'On: usable by any user. Off: only by its creator.',
    isUpdatable: true,
  },
  isRunpod: { label: 'Official', unit: null, meaning: 'Whether the platform operator manages it.', isUpdatable: false },
  isServerless: {
    label: 'Serverless',
    unit: null,
    meaning: 'Yes: its instances are workers of endpoints. No: they are pods.',
    isUpdatable: false,
  },
  ports: { label: 'Ports', unit: null, meaning: 'What the container opens, each with http or tcp.', isUpdatable: true },
  readme: { label: 'Readme', unit: null, meaning: 'Markdown shown with the template.', isUpdatable: true },
  runtimeInMin: {
    label: 'Runtime',
    unit: 'min',
    meaning: 'The specification gives its type but not its meaning.',
    isUpdatable: false,
  },
  volumeInGb: {
    label: 'Volume',
    unit: 'GB',
    meaning: 'Size of the local volume. It survives restarts.',
    isUpdatable: true,
  },
  volumeMountPath: {
    label: 'Mount path',
    unit: null,
    meaning: 'Where the volume appears in the container; an absolute path.',
    isUpdatable: true,
  },
};
