import { AudioLines, Grip, Image, MessageSquareText, SquareCode } from 'lucide-react';
import type { EndpointFlavour } from '../../src-preload/connection.ts';

/** What an endpoint can be known to do. */
type KnownFlavour = Exclude<EndpointFlavour, 'unknown'>;

const icons = {
  text: MessageSquareText,
  image: Image,
  audio: AudioLines,
  embedding: Grip,
  other: SquareCode,
} as const satisfies Record<KnownFlavour, unknown>;

/** What an endpoint mostly does; `EndpointIcon` where that may not be known. */
export function FlavourIcon({ flavour, size = 16 }: { flavour: KnownFlavour; size?: number }) {
  const Icon = icons[flavour];
  return <Icon size={size} aria-hidden="true" />;
}
