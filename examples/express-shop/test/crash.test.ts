import { checkCrashes } from '@tallystick/shop-kit/crash-checks'

checkCrashes(new URL('shop-process.ts', import.meta.url), ['--conditions=@tallystick/source'])
