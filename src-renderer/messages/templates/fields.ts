import type { Template } from '../../../src-preload/template.ts';

interface TemplateFieldText {
  label: string;
  unit?: string;
  /** One sentence (spec: Template). */
  meaning: string;
}

/** Every field of the Template table. A field of the type without an entry does not compile. */
export const templateFieldText: Readonly<Record<keyof Template, TemplateFieldText>> = {
  id: { label: 'Id', meaning: 'Identifies the template. An update names it and cannot change it.' },
  name: { label: 'Name', meaning: 'Any name that no other template has.' },
  imageName: { label: 'Image', meaning: 'The container image with its tag.' },
  category: { label: 'Category', meaning: 'Used to filter in the service’s own pages: NVIDIA, AMD or CPU.' },
  containerDiskInGb: {
    label: 'Container disk',
    unit: 'GB',
    meaning: 'Size of the container’s disk. It is wiped on restart.',
  },
  containerRegistryAuthId: { label: 'Registry auth', meaning: 'The registry login a private image is pulled with.' },
  dockerEntrypoint: {
    label: 'Entrypoint',
    meaning: 'Replaces the image’s ENTRYPOINT. An empty list uses the image’s own.',
  },
  dockerStartCmd: { label: 'Start command', meaning: 'Replaces the image’s CMD. An empty list uses the image’s own.' },
  earned: {
    label: 'Earned',
    unit: 'credits',
    meaning: 'What its creator earned from all pods and workers made from it.',
  },
  env: { label: 'Environment', meaning: 'Variables that every instance starts with. They are sent as a whole.' },
  isPublic: { label: 'Public template', meaning: 'On: usable by any user. Off: only by its creator.' },
  isRunpod: { label: 'Official', meaning: 'Whether the platform operator manages it.' },
  isServerless: { label: 'Serverless', meaning: 'Yes: its instances are workers of endpoints. No: they are pods.' },
  ports: { label: 'Ports', meaning: 'What the container opens, each with http or tcp.' },
  readme: { label: 'Readme', meaning: 'Markdown shown with the template.' },
  runtimeInMin: { label: 'Runtime', unit: 'min', meaning: 'The specification gives its type but not its meaning.' },
  volumeInGb: { label: 'Volume', unit: 'GB', meaning: 'Size of the local volume. It survives restarts.' },
  volumeMountPath: { label: 'Mount path', meaning: 'Where the volume appears in the container; an absolute path.' },
};
