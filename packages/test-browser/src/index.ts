export { findChromium } from './find-chromium.ts'
export { overflow, violationsOf } from './looks.ts'
export { openBrowser } from './open-browser.ts'
