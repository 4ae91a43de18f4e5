import { checkCrashes } from '@tallystick/shop-kit/crash-checks'

// Runs on the build, as `npm start` does: the sources of the module have decorators, which Node cannot run.
checkCrashes(new URL('shop-process.ts', import.meta.url), [])
