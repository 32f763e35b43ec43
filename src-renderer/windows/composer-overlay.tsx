import { ComposerPalette } from '../commands/composer-palette.tsx';
import { Composer } from '../composer/composer.tsx';

/** The composer, with the palette that opens over it. */
export function ComposerOverlay() {
  return <Composer palette={<ComposerPalette />} />;
}
