/** Jobdeck's logo: a deck of jobs, the front one solid. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d="M6.2 3.6h7.6" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" opacity=".38" />
      <path d="M4.8 6.6h10.4" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" opacity=".66" />
      <rect x="3" y="9.2" width="14" height="7.6" rx="2.3" fill="currentColor" />
    </svg>
  );
}
