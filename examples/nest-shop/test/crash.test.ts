import { checkCrashes } from '@tallystick/shop-kit/crash-checks'

// On the build, as by `npm start`: Node runs no decorators, which are in the sources of the module.
checkCrashes(new URL('shop-process.ts', import.meta.url), [])
