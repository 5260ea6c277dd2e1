/** Who hears what. */

import type { AnyNews, Seat, Told } from "../engine/types";

/** The news that a seat hears. */
export function newsFor<News extends AnyNews>(told: Told<News>[], seat: Seat): News[] {
  const hears = (to: Told["to"]) => to === "everyone" || ("only" in to ? to.only === seat : to.all_but !== seat);
  return told.filter(({ to }) => hears(to)).map(({ news }) => news);
}
