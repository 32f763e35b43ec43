import { AudioLines, Grip, Image, MessageSquareText, SquareCode } from 'lucide-react';
import type { EndpointFlavour } from '../../src-preload/connection.ts';

const icons = {
  text: MessageSquareText,
  image: Image,
  audio: AudioLines,
  embedding: Grip,
  other: SquareCode,
} as const satisfies Record<EndpointFlavour, unknown>;

/** What an endpoint mostly does. */
export function FlavourIcon({ flavour, size = 16 }: { flavour: EndpointFlavour; size?: number }) {
  const Icon = icons[flavour];
  return <Icon size={size} aria-hidden="true" />;
}
