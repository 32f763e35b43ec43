interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

const size = { width: 368, height: 552 };
const gapPx = 8;

/**
 * The place of the popover: beside the tray icon, on whatever edge the panel is, and wholly within the work area. Linux
 * does not report the icon's place (all zero), so it goes to the corner where panels usually have their icons. Pure.
 */
export function popoverPlace(icon: Place, workArea: Place): Place {
  const right = workArea.x + workArea.width;
  const bottom = workArea.y + workArea.height;
  const isKnown = icon.width > 0 && icon.height > 0 && (icon.x !== 0 || icon.y !== 0);
  const isAtBottom = isKnown && icon.y + icon.height / 2 > workArea.y + workArea.height / 2;
  const wantedX = isKnown ? icon.x + icon.width / 2 - size.width / 2 : right - size.width - gapPx;
  const wantedY = isAtBottom ? bottom - size.height - gapPx : workArea.y + gapPx;
  return {
    x: Math.round(Math.max(workArea.x + gapPx, Math.min(wantedX, right - size.width - gapPx))),
    y: Math.round(Math.max(workArea.y, wantedY)),
    width: size.width,
    height: Math.min(size.height, workArea.height),
  };
}
