import type { Rental } from './hardware.ts';
import type { NetworkVolume, Pod } from './pod.ts';
import type { TemplateSettings } from './template.ts';

/** What a pod's container is made from; a pod that was made from a template keeps its own copy. */
export type ContainerSettings = Omit<TemplateSettings, 'name' | 'readme' | 'isPublic'>;

/** A plan that covers all GPUs of its pod for a while, at a price per hour. */
export interface SavingsTerm {
  id: string;
  costPerHr: number;
  startMs: number;
  endMs: number;
}

/** A pod as the sandbox keeps it; what clients see of it depends on the time, see pod-view.ts. */
export interface PodRecord extends Pick<
  Pod,
  | 'id'
  | 'name'
  | 'desiredStatus'
  | 'consumerUserId'
  | 'endpointId'
  | 'interruptible'
  | 'locked'
  | 'slsVersion'
  | 'templateId'
  | 'volumeEncrypted'
> {
  container: ContainerSettings;
  rental: Rental;
  networkVolume: NetworkVolume | null;
  savings: SavingsTerm | null;
  lastStartedAtMs: number;
  /** The latest change of its life, apart from the end of the initialisation. */
  lastChange: { event: string; atMs: number };
  /** When it has its public address; Infinity while nobody knows. */
  initializedAtMs: number;
  /** Its start is written in the field's other form in the observed dialect (ruling 29). */
  hasOddTimestamp: boolean;
}

/** What most pods have in common. */
export const PLAIN_POD = {
  desiredStatus: 'RUNNING',
  endpointId: null,
  interruptible: false,
  locked: false,
  slsVersion: null,
  templateId: null,
  volumeEncrypted: false,
  networkVolume: null,
  savings: null,
  initializedAtMs: 0,
  hasOddTimestamp: false,
} as const satisfies Partial<PodRecord>;

/** The container of a pod made from a template now: later updates of the template do not reach it. */
export function containerOf(template: ContainerSettings): ContainerSettings {
  const {
    containerDiskInGb,
    containerRegistryAuthId,
    dockerEntrypoint,
    dockerStartCmd,
    env,
    imageName,
    ports,
    volumeInGb,
    volumeMountPath,
  } = template;
  return {
    containerDiskInGb,
    containerRegistryAuthId,
    dockerEntrypoint,
    dockerStartCmd,
    env,
    imageName,
    ports,
    volumeInGb,
    volumeMountPath,
  };
}
