/** The worlds that the element can show. */

import { cogrip } from "../cogrip/scene";
import { gnomes } from "../gnomes/scene";
import type { Scene } from "./scene";

const SCENES: Record<string, Scene> = { gnomes, cogrip };

/** The names of all worlds. */
export const WORLDS = Object.keys(SCENES);

/** The scene of a world that is known to be one of `WORLDS`. */
export function sceneOf(world: string): Scene {
  const scene = SCENES[world];
  if (!scene) throw new Error(`there is no world ${world}`);
  return scene;
}
