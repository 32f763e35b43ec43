import { endpointName, type Endpoint, type EndpointFlavour } from '../../src-preload/connection.ts';
import { classes } from './class-names.ts';
import styles from './endpoint-icon.module.css';
import { AudioLines, Grip, Image, MessageSquareText, SquareCode } from 'lucide-react';

/** The kinds of endpoints that have an icon. */
type KnownFlavour = Exclude<EndpointFlavour, 'unknown'>;

const icons = {
  text: MessageSquareText,
  image: Image,
  audio: AudioLines,
  embedding: Grip,
  other: SquareCode,
} as const satisfies Record<KnownFlavour, unknown>;

/** The icon of a known kind. */
function FlavourIcon({ flavour, size = 16 }: { flavour: KnownFlavour; size?: number }) {
  const Icon = icons[flavour];
  return <Icon size={size} aria-hidden="true" />;
}

/**
 * An icon for the kind of an endpoint. While that is unknown it is the first letter of its name, in the colour and the
 * stroke of the icons beside it.
 */
export function EndpointIcon({ endpoint, size = 16 }: { endpoint: Endpoint; size?: number }) {
  if (endpoint.flavour !== 'unknown') return <FlavourIcon flavour={endpoint.flavour} size={size} />;
  const [first = '?'] = [...endpointName(endpoint)].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return (
    <svg className={classes('lucide', styles.letter)} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <rect x="1" y="1" width="14" height="14" rx="3.5" />
      <text x="8" y="11.6" textAnchor="middle">
        {first.toLocaleUpperCase()}
      </text>
    </svg>
  );
}
