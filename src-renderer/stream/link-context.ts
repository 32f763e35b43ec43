import { createContext } from 'react';

/** What happens with a link that is pressed; the address is shown and confirmed before anything opens. */
export const LinkContext = createContext<(url: string) => void>(() => {});
