import { createContext } from 'react';

/** Called when a link is pressed. The address is shown and must be confirmed before it is opened. */
export const LinkContext = createContext<(url: string) => void>(() => {});
