import { mainScope } from './main-scope.ts';
import { Palette } from './palette.tsx';

/** The palette of the main window. */
export function MainPalette() {
  return <Palette scope={mainScope} />;
}
