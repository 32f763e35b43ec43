import { z } from 'zod';

// The window's policy forbids making code from text; zod would try once and be refused, which shows as a violation.
// Imported first by main.tsx, before any schema is made.
z.config({ jitless: true });
