/** ES modules are loaded by Node as they are (`node --experimental-vm-modules`), so nothing has to be transformed. */
export default {
  testEnvironment: 'node',
  transform: {},
  setupFilesAfterEnv: ['@tallystick/testing/jest'],
}
