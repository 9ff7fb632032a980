% Modules as programs see and change them.

:- module(system, []).

:- meta_predicate(context_module(:)).
:- meta_predicate(set_module(:)).

%% context_module(-Module)
%  Unifies Module with the module that contains the goal.
%
%  ?- context_module(M).
%  M = user.
context_module(Spec) :-
    strip_module(Spec, Module, Module).

%% set_module(:Property)
%  Sets a property of a module. base(Base) is the module from which it takes missing definitions. class(Class)
%  is one of user, system, library, test, development, temporary.
set_module(Spec) :-
    strip_module(Spec, Module, Property),
    '$set_module'(Property, Module).

'$set_module'(Property, _) :- var(Property), !, throw(error(instantiation_error, _)).
'$set_module'(base(Base), Module) :- !, '$set_import_modules'(Module, [Base]).
'$set_module'(class(Class), Module) :- !,
    (   var(Class)
    ->  throw(error(instantiation_error, _))
    ;   '$member'(Class, [user,system,library,test,development,temporary])
    ->  '$set_module_class'(Module, Class)
    ;   throw(error(domain_error(module_class, Class), _))
    ).
'$set_module'(program_space(Bytes), _) :- integer(Bytes), !.
'$set_module'(Property, _) :- throw(error(domain_error(module_property, Property), _)).

%% import_module(?Module, ?Base)
%  True if Module takes missing definitions from Base. Base is user for most modules, and system for user.
%  Enumerates modules on backtracking.
%
%  ?- import_module(user, M).
%  M = system.
import_module(Module, Base) :-
    (   nonvar(Module) -> true ; current_module(Module) ),
    '$import_modules'(Module, Bases),
    '$member'(Base, Bases).

%% add_import_module(+Module, +Base, +Where)
%  Makes Module take definitions from Base too: before its other bases if Where is start, after them if Where is
%  end.
add_import_module(Module, Base, Where) :-
    '$import_modules'(Module, Bases),
    (   '$memberchk_of'(Base, Bases)
    ->  true
    ;   var(Where)
    ->  throw(error(instantiation_error, _))
    ;   Where == start
    ->  '$set_import_modules'(Module, [Base|Bases])
    ;   Where == end
    ->  '$append'(Bases, [Base], All),
        '$set_import_modules'(Module, All)
    ;   throw(error(domain_error(start_or_end, Where), _))
    ).

%% delete_import_module(+Module, +Base)
%  Stops Module from taking definitions from Base. Fails if it does not take any.
delete_import_module(Module, Base) :-
    '$import_modules'(Module, Bases),
    '$without'(Bases, Base, Left),
    '$set_import_modules'(Module, Left).

'$without'([First|Rest], Element, Left) :-
    (   First == Element
    ->  Left = Rest
    ;   Left = [First|Left1],
        '$without'(Rest, Element, Left1)
    ).
