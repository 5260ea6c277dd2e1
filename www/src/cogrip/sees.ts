/** Which seat's sight a view has. */

import type { FollowerSees, GuideSees, View } from "./types";

export function guideSees(view: View): GuideSees | null {
  return "pieces" in view.sees ? view.sees : null;
}

export function followerSees(view: View): FollowerSees | null {
  return "cut" in view.sees ? view.sees : null;
}
