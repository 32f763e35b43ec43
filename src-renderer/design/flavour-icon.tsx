import { AudioLines, Grip, Image, MessageSquareText, SquareCode } from 'lucide-react';
import type { EndpointFlavour } from '../../src-preload/connection.ts';

/** The kinds of endpoints that have an icon. */
type KnownFlavour = Exclude<EndpointFlavour, 'unknown'>;

const icons = {
  text: MessageSquareText,
  image: Image,
  audio: AudioLines,
  embedding: Grip,
  other: SquareCode,
} as const satisfies Record<KnownFlavour, unknown>;

/** The icon of a known kind. If the kind may be unknown, use `EndpointIcon`. */
export function FlavourIcon({ flavour, size = 16 }: { flavour: KnownFlavour; size?: number }) {
  const Icon = icons[flavour];
  return <Icon size={size} aria-hidden="true" />;
}
