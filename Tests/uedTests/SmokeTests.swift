import Testing

@testable import ued
