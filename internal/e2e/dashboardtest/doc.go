// Package dashboardtest shows every page of the dashboard in Chromium: with and without scripts, light and dark, on a
// desktop and on a phone. The whole service runs in the process of the test, with the demo's cards. The package
// contains only tests.
//
// If CARDVAULT_TEST_SCREENSHOTS names a folder, as make screenshots sets it, TestPages writes a picture of every page
// to it, and pictures for the guide of the dashboard to its folder guide.
package dashboardtest
