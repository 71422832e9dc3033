#pragma once

// What the compiler reads before each program; these include what they use all the same.
#include <algorithm>
#include <bbc/bbc.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "problem.hpp"
