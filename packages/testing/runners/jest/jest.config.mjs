/** Node loads ES modules unchanged (`node --experimental-vm-modules`), so nothing has to be transformed. */
export default {
  testEnvironment: 'node',
  transform: {},
  setupFilesAfterEnv: ['@tallystick/testing/jest'],
}
