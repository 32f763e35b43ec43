import type { PodChanges } from '../../src-preload/pod-reading.ts';
import { EnvSection } from './env-section.tsx';
import { ContainerSection, HardwareColumns, HardwareDetails } from './hardware-sections.tsx';
import { ChangesSection, ExtraSection, OddNote, WorkersSection } from './other-sections.tsx';
import { PortsSection } from './ports-section.tsx';
import { SavingsSection } from './savings-section.tsx';

/** Everything of the reply that is not in the identity panel, the most useful first. */
export function PodBody({ changes }: { changes: PodChanges | null }) {
  return (
    <>
      <ChangesSection changes={changes} />
      <HardwareColumns />
      <ContainerSection />
      <SavingsSection />
      <PortsSection />
      <EnvSection />
      <WorkersSection />
      <HardwareDetails />
      <ExtraSection />
      <OddNote />
    </>
  );
}
