export default { setupFilesAfterEnv: ['@tallystick/testing/jest'] }
