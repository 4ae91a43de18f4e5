/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */
export type { ControlTermRule } from './doctor/control-evidence.ts'
export type { KeyEvidence } from './doctor/recipe.ts'
export { keyBits } from './keys/key-bits.ts'
export { textOfFile } from './keys/masked-key.ts'
export type { BurnableNonce } from './replay/replay-guard.ts'
